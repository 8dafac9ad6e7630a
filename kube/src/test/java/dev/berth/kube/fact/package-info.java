@NullMarked
package dev.berth.kube.fact;

import org.jspecify.annotations.NullMarked;
