#pragma once

/* glibc shows these to GNU programs only, and Swift's own module of it is built without them. They are declared under names of
   our own and without the system's headers, whose types would then belong to this module; the actions are a
   posix_spawn_file_actions_t. */
extern int bellhop_pipe(int ends[2], int flags) __asm__("pipe2");
extern int bellhop_spawn_close_from(void *actions, int from) __asm__("posix_spawn_file_actions_addclosefrom_np");
extern int bellhop_spawn_folder(void *actions, const char *path) __asm__("posix_spawn_file_actions_addchdir_np");
