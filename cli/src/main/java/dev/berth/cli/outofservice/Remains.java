package dev.berth.cli.outofservice;

import dev.berth.cli.session.News;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import java.util.ArrayList;

/// What is left of a node: its pods, and the attachments of volumes to it.
final class Remains implements AutoCloseable {
  private final Api api;
  private final String node;
  private final Selector onNode;
  private final News news;

  Remains(Api api, String node) {
    this.api = api;
    this.node = node;
    this.onNode = Selector.fields("spec.nodeName=" + node);
    this.news = new News(api);
    news.follow(Resources.PODS, "", onNode);
    news.follow(Resources.ATTACHMENTS, "", Selector.ALL);
  }

  /// In words; empty: nothing.
  String look() {
    var pods =
        api.list(Resources.PODS, "", onNode).items().stream()
            .map(Kinds.POD.read())
            .map(pod -> "pod " + pod.meta().key())
            .toList();
    long attached =
        api.list(Resources.ATTACHMENTS, "", Selector.ALL).items().stream()
            .map(Kinds.ATTACHMENT.read())
            .filter(attachment -> attachment.nodeName().equals(node))
            .count();
    var left = new ArrayList<>(pods);
    if (attached > 0) left.add(attached + (attached == 1 ? " volume" : " volumes"));
    return String.join(", ", left);
  }

  /// Returns after a change, or when it is time for another look.
  void await() throws InterruptedException {
    news.await();
  }

  @Override
  public void close() {
    news.close();
  }
}
