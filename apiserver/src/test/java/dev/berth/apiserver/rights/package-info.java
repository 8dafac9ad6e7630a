@NullMarked
package dev.berth.apiserver.rights;

import org.jspecify.annotations.NullMarked;
