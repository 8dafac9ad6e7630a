@NullMarked
package dev.berth.kube.loop;

import org.jspecify.annotations.NullMarked;
