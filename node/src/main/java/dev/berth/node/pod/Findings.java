package dev.berth.node.pod;

import dev.berth.kube.fact.Source;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.DrainOrder;

/// What an agent knows of its node that is no object, and what effects write down of it.
///
/// @param mounted what is mounted
/// @param running what runs
/// @param drain whether everything is to end
public record Findings(ActualState mounted, LocalState running, Source<DrainOrder> drain) {}
