package dev.berth.controller.job;

import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.object.Ref;
import java.util.Optional;

/// Takes off a pod what says that it is still to be counted.
///
/// @param job whose pod it was, and which is gone or going if the server says so too; empty: nobody
///   has it
record ReleasePod(Revision pod, Optional<Ref> job) implements Effect {}
