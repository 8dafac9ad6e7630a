/// Rules in CEL: what a schema, a policy or a webhook says in it, compiled, bounded and run. What
/// functions there are is [dev.berth.apiserver.core.cel]'s. Start at [CelRule].
///
/// Always: who asks for a rule that is not compiled is told so, and compiles it himself
/// (`SlowRulesTest`); none is evaluated for longer than [CelCost] allows.
@NullMarked
package dev.berth.apiserver.core.custom.rule;

import org.jspecify.annotations.NullMarked;
