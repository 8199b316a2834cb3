/*
 * The exact damped oscillator as a solver's row.
 *
 * x'' = -d x' - o x, with o = k / m and d = c / m, has at times n h the
 * solution of x(n+1) = (p + q) x(n) - p q x(n-1), where p and q are e to the
 * roots of r r + d r + o times h. With v(n) = (x(n) - x(n-1)) / h, which is
 * how x += h v integrates, that is
 *     v(n+1) = p q v(n) - (1 - p)(1 - q) x(n) / h.
 * As a relation between the new velocity and the impulse l, v(n+1) = v + l / m:
 *     (1 - p q) v(n+1) + p q l / m = -(1 - p)(1 - q) x / h.
 * A spring too stiff for the step (o h h > 1) is the implicit Euler step of
 * the same spring, which is stable for any stiffness:
 *     v(n+1) + l / (h (h k + c)) = -k x / (h k + c).
 */
#include "joint_spring.h"

#include <math.h>

/* (1 - p)(1 - q) and p q. */
static void exact(double o, double d, double h, double *pull, double *keep)
{
    double half = d * 0.5, square = half * half - o;
    *keep = exp(-d * h);
    if (square >= 0.0) {
        double fast = -half - sqrt(square), slow = fast < 0.0 ? o / fast : 0.0;
        *pull = expm1(fast * h) * expm1(slow * h);
    } else {
        double turn = sqrt(-square) * h, size = exp(-half * h);
        double real = 1.0 - size * cos(turn), imaginary = size * sin(turn);
        *pull = real * real + imaginary * imaginary;
    }
}

joint_spring joint_spring_make(double k, double c, double inverse_mass, double h)
{
    double a, b, x; /* a v + b l = -x times the position */
    if (k * inverse_mass * h * h <= 1.0) {
        double pull, keep;
        exact(k * inverse_mass, c * inverse_mass, h, &pull, &keep);
        a = 1.0 - keep;
        b = keep * inverse_mass;
        x = pull / h;
    } else {
        a = h * (h * k + c);
        b = 1.0;
        x = h * k;
    }
    double diagonal = a * inverse_mass + b;
    return (joint_spring){
        .position = (float)(x / diagonal), .velocity = (float)(a / diagonal), .share = (float)(b / diagonal)};
}
