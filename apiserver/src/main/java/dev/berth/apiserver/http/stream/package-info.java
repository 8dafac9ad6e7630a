/// What is carried between a client and a container for as long as both like: `exec`, `attach` and
/// `portforward` of pods, over WebSockets as kubectl asks for them. Start at [PodStreams].
///
/// Always: a client that leaves ends what it has begun; one that does not read is waited for, and
/// nothing is kept for it meanwhile (`KubectlExecTest`).
@NullMarked
package dev.berth.apiserver.http.stream;

import org.jspecify.annotations.NullMarked;
