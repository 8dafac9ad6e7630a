package dev.berth.explain.voice;

import dev.berth.explain.answer.Failure;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Whether a driver has registered on the node that was chosen for a claim. Events tell that it had
/// not; whether it has now, the fields of the CSINode prove (C12g, N03).
final class Registration {
  /// As provisioners and kubelets say that a driver is not on a node.
  private static final Pattern LACKING =
      Pattern.compile(
          "no topology key found|accessibility requirements|not found in the list of"
              + " registered|does not contain driver");

  private Registration() {}

  static Voice ofProvisioner(Voice provisioner, String driver) {
    return new Voice() {
      @Override
      public String component() {
        return provisioner.component();
      }

      @Override
      public Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
        return provisioner
            .steps(subject, objects, now)
            .map(step ->
                step instanceof Act
                    ? told(provisioner.failure(subject, objects, now))
                        .flatMap(_ -> lacking(subject, driver, objects))
                        .<Step>map(it -> it)
                        .orElse(step)
                    : step);
      }

      @Override
      public Optional<Failure> failure(Ref subject, Snapshot objects, Instant now) {
        var failure = provisioner.failure(subject, objects, now);
        return told(failure).isPresent()
                && selected(subject, objects)
                    .flatMap(node -> csiNode(node, objects))
                    .filter(it -> registered(it, driver))
                    .isPresent()
            ? Optional.empty()
            : failure;
      }

      @Override
      public boolean asksOthers() {
        return provisioner.asksOthers();
      }
    };
  }

  /// Whether a kubelet's complaint that a driver is not there is over.
  static boolean isOutdated(String message, String node, Snapshot objects) {
    return message.contains("not found in the list of registered")
        && csiNode(node, objects).stream()
            .flatMap(it -> it.drivers().stream())
            .anyMatch(driver -> message.contains(driver.name() + " not found"));
  }

  private static Optional<Failure> told(Optional<Failure> failure) {
    return failure.filter(it -> LACKING.matcher(it.message()).find());
  }

  private static Optional<Wait> lacking(Ref subject, String driver, Snapshot objects) {
    return selected(subject, objects)
        .flatMap(node -> csiNode(node, objects))
        .filter(it -> !registered(it, driver))
        .map(it -> {
          var node = it.meta().name();
          var sentence = Wait.on(it.ref(), "spec.drivers");
          return Voices.meta(subject, objects)
              .map(meta -> sentence.since(meta.created()))
              .orElse(sentence)
              .until("%s has registered with topology keys on node %s".formatted(driver, node))
              .remedy("look at the driver's pod on node " + node);
        });
  }

  private static boolean registered(CsiNode node, String driver) {
    return node.driver(driver).isPresent();
  }

  private static Optional<String> selected(Ref subject, Snapshot objects) {
    return subject.resource().equals(Resources.CLAIMS)
        ? objects.get(Kinds.CLAIM, subject.key()).found().flatMap(Claim::selectedNode)
        : Optional.empty();
  }

  private static Optional<CsiNode> csiNode(String node, Snapshot objects) {
    return objects.get(Kinds.CSI_NODE, ObjectKey.cluster(node)).found();
  }
}
