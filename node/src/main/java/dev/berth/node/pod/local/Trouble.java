package dev.berth.node.pod.local;

/// Why a container could not be started the last time.
///
/// @param reason as the kubelet gives it for a waiting container
/// @param message for people
public record Trouble(String reason, String message) {}
