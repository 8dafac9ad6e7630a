@NullMarked
package dev.berth.apiserver.http.access;

import org.jspecify.annotations.NullMarked;
