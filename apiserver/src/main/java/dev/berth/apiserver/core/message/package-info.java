/// What the state machine is asked and what it answers (spec/apiserver.md, sections 3, 6 and 8),
/// with the transport and its syntax gone. Start at [Request] and [Answer]. A refusal says what
/// upstream would say, since programs match its text.
@NullMarked
package dev.berth.apiserver.core.message;

import org.jspecify.annotations.NullMarked;
