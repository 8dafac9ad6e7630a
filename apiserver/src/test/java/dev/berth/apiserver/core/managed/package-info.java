@NullMarked
package dev.berth.apiserver.core.managed;

import org.jspecify.annotations.NullMarked;
