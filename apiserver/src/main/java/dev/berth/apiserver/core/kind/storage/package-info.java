/// Storage: what is special about claims, volumes, their classes, attachments and drivers:
/// defaults, what a write may change, and what is wrong with one. Start at [StorageBook].
@NullMarked
package dev.berth.apiserver.core.kind.storage;

import org.jspecify.annotations.NullMarked;
