package dev.berth.conform.trial;

/// What was sent and what came back, as it may be shown: without secrets.
///
/// @param rpc such as `CreateVolume`
/// @param sent the request on one line
/// @param answered the code and the message, or what the driver said of it
public record Exchange(String rpc, String sent, String answered) {}
