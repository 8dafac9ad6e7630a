/// What objects use of quotas. Start at [Usage].
@NullMarked
package dev.berth.apiserver.core.quota;

import org.jspecify.annotations.NullMarked;
