package dev.berth.node.pod;

import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.volume.VolumeFiles;

/// What an agent has to work with on its machine.
///
/// @param volumes directories that drivers mount in
/// @param pods directories of pods
public record Equipment(ContainerRuntime runtime, VolumeFiles volumes, PodFiles pods) {}
