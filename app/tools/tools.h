/* The entry points of the subcommands of this folder. They take the arguments after the name and return the exit
 * code. */
#ifndef ODORI_TOOLS_H
#define ODORI_TOOLS_H

int shot_main(int argc, char **argv);
int thumbnail_main(int argc, char **argv);
int render_main(int argc, char **argv);
int dump_main(int argc, char **argv);
int info_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int bake_main(int argc, char **argv);
int convert_main(int argc, char **argv);
int register_main(int argc, char **argv);
int unregister_main(int argc, char **argv);

#endif
