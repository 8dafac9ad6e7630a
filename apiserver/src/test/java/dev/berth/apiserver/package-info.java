@NullMarked
package dev.berth.apiserver;

import org.jspecify.annotations.NullMarked;
