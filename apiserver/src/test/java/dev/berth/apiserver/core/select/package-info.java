@NullMarked
package dev.berth.apiserver.core.select;

import org.jspecify.annotations.NullMarked;
