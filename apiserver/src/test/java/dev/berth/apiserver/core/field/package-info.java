@NullMarked
package dev.berth.apiserver.core.field;

import org.jspecify.annotations.NullMarked;
