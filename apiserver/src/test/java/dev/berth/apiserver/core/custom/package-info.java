@NullMarked
package dev.berth.apiserver.core.custom;

import org.jspecify.annotations.NullMarked;
