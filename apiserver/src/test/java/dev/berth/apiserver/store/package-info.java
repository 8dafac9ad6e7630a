@NullMarked
package dev.berth.apiserver.store;

import org.jspecify.annotations.NullMarked;
