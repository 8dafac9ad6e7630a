package dev.berth.node.runtime.cri;

import dev.berth.node.runtime.StreamRequest;
import dev.berth.node.runtime.cri.v1.AttachRequest;
import dev.berth.node.runtime.cri.v1.ExecRequest;
import dev.berth.node.runtime.cri.v1.PortForwardRequest;
import java.net.URI;

/// Where an engine carries streams: it has a server of its own for that, and makes an address of it
/// for one use.
record Carriers(CriConnection engine) {
  URI exec(String key, StreamRequest.Exec exec) {
    var streams = exec.streams();
    var request =
        ExecRequest.newBuilder()
            .setContainerId(key)
            .addAllCmd(exec.command())
            .setTty(streams.terminal())
            .setStdin(streams.input())
            .setStdout(streams.output())
            .setStderr(streams.error())
            .build();
    return URI.create(
        engine
            .runtime(
                "run " + exec.command().getFirst() + " in the container",
                stub -> stub.exec(request))
            .getUrl());
  }

  URI attach(String key, StreamRequest.Streams streams) {
    var request =
        AttachRequest.newBuilder()
            .setContainerId(key)
            .setTty(streams.terminal())
            .setStdin(streams.input())
            .setStdout(streams.output())
            .setStderr(streams.error())
            .build();
    return URI.create(
        engine.runtime("attach to the container", stub -> stub.attach(request)).getUrl());
  }

  URI ports(String sandbox) {
    var request = PortForwardRequest.newBuilder().setPodSandboxId(sandbox).build();
    return URI.create(
        engine.runtime("forward ports of the pod", stub -> stub.portForward(request)).getUrl());
  }
}
