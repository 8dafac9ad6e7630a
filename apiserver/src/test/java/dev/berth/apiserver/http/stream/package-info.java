@NullMarked
package dev.berth.apiserver.http.stream;

import org.jspecify.annotations.NullMarked;
