/// Kubernetes' objects as immutable records with the fields that decisions read.
///
/// A file is a kind or a part of one, and there is nothing else here; snapshots, which few read,
/// have a package of their own.
///
/// Always: a record is made from JSON by its `of` and never written back; writes are patches
/// (`AbsencesArchitectureTest`). Only a [VolumeHealth] writes itself, as two rooms write it alike.
@NullMarked
package dev.berth.kube.model;

import org.jspecify.annotations.NullMarked;
