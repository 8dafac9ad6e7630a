package dev.berth.node.runtime.host;

import dev.berth.node.runtime.ContainerDevice;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.EngineSpec;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.User;
import java.util.List;

/// Specs that differ from another one in one thing.
final class With {
  private With() {}

  static ContainerSpec image(ContainerSpec s, String image) {
    return new ContainerSpec(
        s.id(),
        image,
        s.hostName(),
        s.program(),
        s.user(),
        s.rights(),
        s.root(),
        s.mounts(),
        s.devices(),
        s.log(),
        s.terminationMessagePath());
  }

  static ContainerSpec program(ContainerSpec s, Program program) {
    return new ContainerSpec(
        s.id(),
        s.image(),
        s.hostName(),
        program,
        s.user(),
        s.rights(),
        s.root(),
        s.mounts(),
        s.devices(),
        s.log(),
        s.terminationMessagePath());
  }

  static ContainerSpec user(ContainerSpec s, User user) {
    return new ContainerSpec(
        s.id(),
        s.image(),
        s.hostName(),
        s.program(),
        user,
        s.rights(),
        s.root(),
        s.mounts(),
        s.devices(),
        s.log(),
        s.terminationMessagePath());
  }

  static ContainerSpec rights(ContainerSpec s, Rights rights) {
    return new ContainerSpec(
        s.id(),
        s.image(),
        s.hostName(),
        s.program(),
        s.user(),
        rights,
        s.root(),
        s.mounts(),
        s.devices(),
        s.log(),
        s.terminationMessagePath());
  }

  static ContainerSpec root(ContainerSpec s, Root root) {
    return new ContainerSpec(
        s.id(),
        s.image(),
        s.hostName(),
        s.program(),
        s.user(),
        s.rights(),
        root,
        s.mounts(),
        s.devices(),
        s.log(),
        s.terminationMessagePath());
  }

  static ContainerSpec mounts(ContainerSpec s, ContainerMount... mounts) {
    return new ContainerSpec(
        s.id(),
        s.image(),
        s.hostName(),
        s.program(),
        s.user(),
        s.rights(),
        s.root(),
        List.of(mounts),
        s.devices(),
        s.log(),
        s.terminationMessagePath());
  }

  static ContainerSpec devices(ContainerSpec s, ContainerDevice... devices) {
    return new ContainerSpec(
        s.id(),
        s.image(),
        s.hostName(),
        s.program(),
        s.user(),
        s.rights(),
        s.root(),
        s.mounts(),
        List.of(devices),
        s.log(),
        s.terminationMessagePath());
  }

  static ContainerSpec notRoot(ContainerSpec s) {
    var e = EngineSpec.NONE;
    return new ContainerSpec(
        s.id(),
        s.image(),
        s.hostName(),
        s.program(),
        s.user(),
        s.rights(),
        s.root(),
        s.mounts(),
        s.devices(),
        s.log(),
        s.terminationMessagePath(),
        new EngineSpec(
            e.sandbox(),
            e.command(),
            e.arguments(),
            e.runAsUser(),
            e.runAsGroup(),
            true,
            e.capabilities(),
            e.seccomp(),
            e.appArmor(),
            e.hidesKernelFiles(),
            e.resources(),
            e.input()));
  }
}
