package dev.berth.controller.ephemeral;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;

/// Makes the claim of one of a pod's volumes.
///
/// @param volume its name
/// @param template the volume's `ephemeral.volumeClaimTemplate`
record MakeClaim(Ref pod, String volume, ObjectKey claim, JsonNode template) implements Effect {}
