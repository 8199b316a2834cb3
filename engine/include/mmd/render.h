#ifndef MMD_RENDER_H
#define MMD_RENDER_H
#endif
