/// What the server tells of itself: its kinds and their schemas, its version, whether it is well.
@NullMarked
package dev.berth.apiserver.http.about;

import org.jspecify.annotations.NullMarked;
