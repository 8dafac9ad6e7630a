package dev.berth.apiserver.core.message;

import dev.berth.kube.object.Resource;

/// Asks to see what happens to the objects of a kind.
///
/// @param namespace empty: all
public record WatchRequest(Resource resource, String namespace, ListOptions options) {}
