@NullMarked
package dev.berth.apiserver.core.patch;

import org.jspecify.annotations.NullMarked;
