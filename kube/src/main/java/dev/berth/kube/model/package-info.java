/// Kubernetes' objects as immutable records with the fields that decisions read, and its
/// vocabulary.
///
/// Always: a record is made from JSON by its `of` and never written back; writes are patches.
/// Never: a name that Kubernetes defines written in two places.
@NullMarked
package dev.berth.kube.model;

import org.jspecify.annotations.NullMarked;
