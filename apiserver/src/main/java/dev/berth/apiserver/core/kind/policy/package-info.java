/// What says what others may be: quotas, limits, priorities, and who is asked before a write.
/// Defaults, and what is wrong with one. Start at [PolicyBook].
@NullMarked
package dev.berth.apiserver.core.kind.policy;

import org.jspecify.annotations.NullMarked;
