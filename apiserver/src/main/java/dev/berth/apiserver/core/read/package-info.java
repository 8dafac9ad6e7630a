/// Reading objects: lists in pages (API-50), and what a watch shows of each write. Start at
/// [Reading] and [Watching].
@NullMarked
package dev.berth.apiserver.core.read;

import org.jspecify.annotations.NullMarked;
