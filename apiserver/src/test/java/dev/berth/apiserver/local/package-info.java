@NullMarked
package dev.berth.apiserver.local;

import org.jspecify.annotations.NullMarked;
