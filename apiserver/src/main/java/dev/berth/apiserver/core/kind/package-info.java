/// What is special about each kind of object: defaults, what a write may change, and what is wrong
/// with it (spec/apiserver.md, sections 5, 8 and 11). One class a kind, found in [RuleBook].
///
/// Always: rules see one object and its stored predecessor; what depends on other objects is
/// admission, in `core` (`AbsencesArchitectureTest`). A text for people is upstream's, since
/// programs match it (`LikeUpstreamTest`). Never: changes an object that is stored.
@NullMarked
package dev.berth.apiserver.core.kind;

import org.jspecify.annotations.NullMarked;
