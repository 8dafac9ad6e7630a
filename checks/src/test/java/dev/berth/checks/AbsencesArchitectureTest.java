package dev.berth.checks;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.fasterxml.jackson.databind.node.ContainerNode;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import dev.berth.kube.object.Resources;
import java.nio.file.Files;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What packages deliberately do not have, where code can show it: their `Never` (PromisesTest).
class AbsencesArchitectureTest {
  private static final String API = "dev.berth.kube.api.Api";

  private static JavaClasses berth;

  @BeforeAll
  static void read() {
    berth = BerthClasses.all();
  }

  @Test
  void theStateMachineHasNoClockThreadDiskOrChanceOfItsOwn() {
    in("dev.berth.apiserver.core..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.net..", "java.nio.file..", "java.nio.channels..", "java.sql.."))
        .orShould()
        .dependOnClassesThat(
            assignableTo(Thread.class)
                .or(assignableTo(java.time.Clock.class))
                .or(assignableTo(java.util.Random.class)))
        .orShould()
        .accessTargetWhere(member(assignableTo(UUID.class), "randomUUID"))
        .orShould()
        .accessTargetWhere(theMachinesClock())
        .check(berth);
  }

  /// What depends on others is admission's.
  @Test
  void theRulesOfAKindSeeOneObject() {
    in("dev.berth.apiserver.core.kind..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "dev.berth.apiserver.core",
                "dev.berth.apiserver.core.state..",
                "dev.berth.apiserver.core.read..",
                "dev.berth.apiserver.core.admission.."))
        .check(berth);
  }

  @Test
  void aPatchKnowsHowListsAreMergedAndNoKind() {
    in("dev.berth.apiserver.core.patch..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "dev.berth.apiserver.core.kind..",
                "dev.berth.apiserver.core.state..",
                "dev.berth.kube.model.."))
        .check(berth);
  }

  @Test
  void theTableOfFieldsKnowsTypesAndNoRules() {
    in("dev.berth.apiserver.schema..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.berth.apiserver.core.."))
        .check(berth);
  }

  /// Writes are patches, made where they are written; but what two rooms write alike stands once.
  @Test
  void recordsOfKindsAreReadAndNeverWrittenBack() {
    in("dev.berth.kube.model..")
        .should()
        .dependOnClassesThat(resideInAPackage("dev.berth.kube.api.."))
        .check(berth);
    noMethods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage("dev.berth.kube.model..")
        .and()
        .areDeclaredInClassesThat()
        .doNotHaveSimpleName("VolumeHealth")
        .should()
        .haveRawReturnType(assignableTo(ContainerNode.class))
        .check(berth);
  }

  /// GRPC-06, UDS-08: no native library, on any machine.
  @Test
  void socketsAreTheJdksOwn() {
    in("dev.berth..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "io.netty.channel.epoll..",
                "io.netty.channel.kqueue..",
                "io.netty.channel.uring..",
                "io.grpc.netty.shaded.."))
        .check(berth);
  }

  /// Who calls for the driver reads them.
  @Test
  void aReferenceToASecretIsAName() {
    in("dev.berth.sidecar.secret..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.berth.kube.api..", "dev.berth.kube.cache.."))
        .check(berth);
  }

  @Test
  void onlySystemTimeReadsTheClock() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.berth.kube..", "dev.berth.controller..", "dev.berth.explain..")
        .and()
        .haveSimpleNameNotEndingWith("SystemTime")
        .should()
        .accessTargetWhere(theMachinesClock())
        .check(berth);
  }

  @Test
  void theServersDoorKnowsNoHttp() {
    in("dev.berth.apiserver")
        .should()
        .dependOnClassesThat(resideInAnyPackage("org.eclipse.jetty..", "java.net.http.."))
        .check(berth);
  }

  @Test
  void thePathsOfTheKubeletTouchNoFile() {
    in("dev.berth.node.layout..")
        .should()
        .dependOnClassesThat(
            assignableTo(Files.class).or(resideInAnyPackage("java.io..", "dev.berth.linux..")))
        .check(berth);
  }

  @Test
  void pluginRegistrationDoesNotKnowTheApi() {
    in("dev.berth.node.plugin..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.berth.kube.api.."))
        .check(berth);
  }

  @Test
  void whatAPodNeedsIsReadFromObjectsAlone() {
    in("dev.berth.node.volume.need..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "dev.berth.linux..", "dev.berth.csi..", "dev.berth.kube.api..", "java.nio.file.."))
        .check(berth);
  }

  @Test
  void whatAContainerIsStartedWithDecidesNothing() {
    in("dev.berth.node.pod.start..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.berth.kube.loop.."))
        .check(berth);
  }

  /// NVM-18: the node's list of volumes in use is all that it writes of attachments.
  @Test
  void theVolumeManagerAttachesNothingAndDeletesNoTree() {
    in("dev.berth.node.volume..")
        .should()
        .accessTargetWhere(member(assignableTo(API), "create|delete|update.*"))
        .orShould()
        .accessTargetWhere(member(assignableTo(Files.class), "walk.*|find"))
        .check(berth);
  }

  /// But for the binds that the agent makes itself: parts of volumes, and devices.
  @Test
  void whatADriverHasMountedTheDriverUnmounts() {
    in("dev.berth.node.volume..")
        .and()
        .doNotHaveSimpleName("SubPaths")
        .and()
        .doNotHaveSimpleName("KubeletDevices")
        .should()
        .accessTargetWhere(member(resideInAnyPackage("dev.berth.linux.mount.."), "unmount"))
        .check(berth);
  }

  /// What drivers say of their volumes on a node stands in that node's pods.
  @Test
  void healthOnANodeIsWrittenToNoClaim() {
    in("dev.berth.node.health..").should().accessField(Resources.class, "CLAIMS").check(berth);
  }

  @Test
  void aRuntimeKnowsNothingOfPodsAndDecisions() {
    in("dev.berth.node.runtime..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "dev.berth.kube.loop..", "dev.berth.kube.model..", "dev.berth.node.pod.."))
        .check(berth);
  }

  @Test
  void theWayToAVolumeDecidesAndAsksNothing() {
    in("dev.berth.volume")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "dev.berth.kube.fact..",
                "dev.berth.kube.loop..",
                "dev.berth.kube.api..",
                "dev.berth.csi.."))
        .check(berth);
  }

  /// Migration would otherwise be forgotten by whoever reads a source by himself (MIG-01).
  @Test
  void onlyATranslationReadsTheSourceOfAVolume() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.berth.volume", "dev.berth.kube.model")
        .should()
        .accessTargetWhere(member(assignableTo("dev.berth.kube.model.Volume"), "csi"))
        .check(berth);
  }

  @Test
  void explainWritesNothing() {
    in("dev.berth.explain..")
        .should()
        .accessTargetWhere(member(assignableTo(API), "create|update.*|patch.*|delete|post"))
        .orShould()
        .accessTargetWhere(writingFiles())
        .check(berth);
  }

  /// But for the list of all of them, and for what those have in common that keep pods.
  @Test
  void controllersMeetInTheApisObjectsOnly() {
    slices()
        .matching("dev.berth.controller.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(resideInAPackage("dev.berth.controller.roster.."), alwaysTrue())
        .ignoreDependency(alwaysTrue(), resideInAPackage("dev.berth.controller.workload"))
        .check(berth);
  }

  @Test
  void theCheckOfAPoolChangesNothing() {
    in("dev.berth.driver.disk.fsck..")
        .should()
        .accessTargetWhere(writingFiles())
        .orShould()
        .accessTargetWhere(
            member(
                resideInAnyPackage("dev.berth.linux..", "dev.berth.driver.disk.."),
                "(set|write|delete|remove|release|bind|mount|unmount|attach|detach)"))
        .check(berth);
  }

  @Test
  void theAttacherNeitherMakesNorDeletesAnything() {
    in("dev.berth.sidecar.attacher..")
        .should()
        .accessTargetWhere(member(assignableTo(API), "create|delete"))
        .check(berth);
  }

  @Test
  void theBinderDeletesNothing() {
    in("dev.berth.controller.binder..")
        .should()
        .accessTargetWhere(member(assignableTo(API), "delete"))
        .check(berth);
  }

  @Test
  void conformDeletesNoTree() {
    in("dev.berth.conform..")
        .should()
        .accessTargetWhere(member(assignableTo(Files.class), "walk.*|find"))
        .orShould()
        .dependOnClassesThat(resideInAnyPackage("dev.berth.linux.tree.."))
        .check(berth);
  }

  @Test
  void systemCallsNeedNoProcessAndNoLibraryOfOurs() {
    in("dev.berth.linux.sys..")
        .should()
        .dependOnClassesThat(assignableTo(ProcessBuilder.class))
        .orShould()
        .accessTargetWhere(
            member(resideInAnyPackage("java.lang.."), "exec|load|loadLibrary|libraryLookup"))
        .check(berth);
  }

  /// SYS-30: what the kernel does itself is asked of the kernel.
  @Test
  void nothingIsMountedByAProgram() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.berth.linux.mount..", "dev.berth.linux.loop..")
        .should()
        .dependOnClassesThat(
            assignableTo(ProcessBuilder.class).or(resideInAnyPackage("dev.berth.linux.tool..")))
        .check(berth);
  }

  @Test
  void processesAreWaitedForAndNotPolled() {
    in("dev.berth.linux.process..")
        .should()
        .accessTargetWhere(member(assignableTo(Thread.class), "sleep"))
        .check(berth);
  }

  private static GivenClassesConjunction in(String packages) {
    return noClasses().that().resideInAPackage(packages);
  }

  private static DescribedPredicate<JavaAccess<?>> theMachinesClock() {
    return member(assignableTo(Instant.class), "now")
        .or(member(assignableTo(System.class), "nanoTime|currentTimeMillis"));
  }

  private static DescribedPredicate<JavaAccess<?>> writingFiles() {
    return member(
        assignableTo(Files.class), "write.*|delete.*|create.*|move|copy|set.*|newOutputStream");
  }

  /// @param names a regular expression
  private static DescribedPredicate<JavaAccess<?>> member(
      DescribedPredicate<JavaClass> of, String names) {
    var pattern = Pattern.compile(names);
    return DescribedPredicate.describe(
        "it is " + names + " of a class that is to " + of.getDescription(),
        access -> of.test(access.getTargetOwner()) && pattern.matcher(access.getName()).matches());
  }
}
