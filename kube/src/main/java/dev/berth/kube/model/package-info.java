/// Kubernetes' objects as immutable records with the fields that decisions read.
///
/// Always: a record is made from JSON by its `of` and never written back; writes are patches.
@NullMarked
package dev.berth.kube.model;

import org.jspecify.annotations.NullMarked;
