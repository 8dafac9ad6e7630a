package dev.berth.explain.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.object.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How the rights are given that were lacking (XPL-11).
class GapTest {
  @Test
  void rightsAreAddedToThoseThatWereGivenBefore() { // XPL-11
    var refusal = "pods is forbidden: User \"system:serviceaccount:shop:jane\" cannot list";
    var gaps =
        List.of(
            new Gap(Resources.PODS, Gap.Extent.WANTED, refusal),
            new Gap(Resources.STORAGE_CLASSES, Gap.Extent.WANTED, refusal));
    var added = " --dry-run=client -o yaml | kubectl auth reconcile -f -";
    assertThat(Gap.remedy(gaps).split("; "))
        .containsExactly(
            "kubectl create clusterrole berth-explain --verb=get,list,watch"
                + " --resource=pods,storageclasses.storage.k8s.io"
                + added,
            "kubectl create clusterrolebinding berth-explain --clusterrole=berth-explain"
                + " --serviceaccount=shop:jane"
                + added);
  }
}
