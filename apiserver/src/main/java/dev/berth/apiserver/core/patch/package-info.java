/// The three ways to change part of an object: JSON Patch (RFC 6902), merge patch (RFC 7386) and
/// Kubernetes' strategic merge patch (API-72 to API-75).
///
/// Always: what was handed in stays as it was; the result is the caller's own (`PatchesTest`).
/// Never: knows what an object means, except by which key its lists are merged ([Merging];
/// `AbsencesArchitectureTest`).
@NullMarked
package dev.berth.apiserver.core.patch;

import org.jspecify.annotations.NullMarked;
