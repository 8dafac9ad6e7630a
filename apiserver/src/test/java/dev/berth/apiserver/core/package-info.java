@NullMarked
package dev.berth.apiserver.core;

import org.jspecify.annotations.NullMarked;
