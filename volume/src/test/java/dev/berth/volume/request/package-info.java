@NullMarked
package dev.berth.volume.request;

import org.jspecify.annotations.NullMarked;
