/* Subcommands, one file or two each: arguments behind the name; they return the exit code. */
#ifndef ODORI_TOOLS_H
#define ODORI_TOOLS_H

int shot_main(int argc, char **argv);
int render_main(int argc, char **argv);
int dump_main(int argc, char **argv);
int info_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int bake_main(int argc, char **argv);
int convert_main(int argc, char **argv);

#endif
