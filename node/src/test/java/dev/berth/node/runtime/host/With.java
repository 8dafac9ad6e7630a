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
import java.util.OptionalLong;

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
        s.terminationMessagePath(),
        s.engine());
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
        s.terminationMessagePath(),
        s.engine());
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
        s.terminationMessagePath(),
        s.engine());
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
        s.terminationMessagePath(),
        s.engine());
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
        s.terminationMessagePath(),
        s.engine());
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
        s.terminationMessagePath(),
        s.engine());
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
        s.terminationMessagePath(),
        s.engine());
  }

  static ContainerSpec notRoot(ContainerSpec s) {
    return engine(s, List.of(), List.of(), OptionalLong.empty(), true);
  }

  /// What the pod itself says of what an image says too.
  static ContainerSpec engine(
      ContainerSpec s,
      List<String> command,
      List<String> arguments,
      OptionalLong runAsUser,
      boolean notRoot) {
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
            command,
            arguments,
            runAsUser,
            e.runAsGroup(),
            notRoot,
            e.capabilities(),
            e.seccomp(),
            e.appArmor(),
            e.hidesKernelFiles(),
            e.resources(),
            e.input(),
            e.strictGroups()));
  }
}
