package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.berth.controller.roster.Controllers;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.GroupControllerServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.driver.baremetal.BareMetalDeciders;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.node.NodeDeciders;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.capacity.CapacityOptions;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.part.Work;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Whoever decides can be asked, and is pure ([Decider]).
class DecidersArchitectureTest {
  /// Runs once, in the process of a driver's pod, about which no object tells (PRA-03).
  private static final Set<String> ONCE = Set.of("dev.berth.sidecar.nodeplugin.TaintDecision");

  private static JavaClasses berth;

  @BeforeAll
  static void read() {
    berth = BerthClasses.all();
  }

  @Test
  void everyDeciderIsInTheListOfItsRoom() {
    assertThat(
            deciders()
                .map(JavaClass::getName)
                .filter(name -> !ONCE.contains(name))
                .collect(Collectors.toSet()))
        .hasSizeGreaterThan(10)
        .isEqualTo(listed());
  }

  @Test
  void fromADeciderNothingCanBeReachedThatActsKnowsTheTimeOrRemembers() {
    assertThat(deciders().flatMap(decider -> Reach.impure(berth, decider).stream()).toList())
        .isEmpty();
  }

  /// What the test above would say of one.
  @Test
  void oneThatLogsLooksAtTheClockLocksOrRemembersIsFound() {
    var classes = new ClassFileImporter().importPackagesOf(Impure.class);
    var found = String.join("\n", Reach.impure(classes, classes.get(Impure.class)));
    assertThat(found)
        .contains("org.slf4j.Logger.info")
        .contains("java.time.Instant.now")
        .contains("takes a lock")
        .contains("Rules.counted, which can change")
        .contains("from dev.berth.checks.Impure.decide(");
  }

  private static Stream<JavaClass> deciders() {
    return berth.stream()
        .filter(type -> type.isAssignableTo(Decider.class))
        .filter(type -> !type.isInterface());
  }

  private static Set<String> listed() {
    var driver =
        new DriverFacts(
            "some.driver",
            "",
            EnumSet.allOf(PluginCapability.Service.Type.class),
            Set.of(),
            EnumSet.allOf(ControllerServiceCapability.RPC.Type.class),
            EnumSet.allOf(GroupControllerServiceCapability.RPC.Type.class),
            Set.of(),
            Optional.empty());
    var options =
        SidecarOptions.DEFAULT.with(
            new CapacityOptions(
                "default",
                Optional.empty(),
                CapacityOptions.CENTRAL,
                false,
                CapacityOptions.USUAL_POLL,
                1,
                Duration.ofSeconds(10)));
    var concerns =
        Stream.concat(
            Controllers.of(Controllers.Options.DEFAULT).concerns().stream(),
            SidecarDeciders.of(driver, options).parts().stream()
                .flatMap(part -> part.works().stream())
                .map(Work::concern));
    var nodes =
        Stream.concat(
            NodeDeciders.of("some-node").all().stream(),
            BareMetalDeciders.of("some-node").all().stream());
    return Stream.concat(concerns.map(Concern::decider), nodes)
        .map(decider -> decider.getClass().getName())
        .collect(Collectors.toSet());
  }
}
