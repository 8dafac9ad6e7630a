@NullMarked
package dev.berth.kube.map;

import org.jspecify.annotations.NullMarked;
