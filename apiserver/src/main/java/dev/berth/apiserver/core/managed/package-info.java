/// Who owns which field of an object (spec/apiserver.md, API-78 to API-81):
/// `metadata.managedFields` and server-side apply, with upstream's structured-merge-diff as the
/// measure. Start at [Ownership]; what can be owned in an object of a kind says its [Form].
///
/// Always: an entry describes fields that the object has, after each write that goes through here
/// (`ManagedPropertiesTest`). Never: a clock or a random number (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.apiserver.core.managed;

import org.jspecify.annotations.NullMarked;
