package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Lists of what was, as long as the history is known (API-50, API-52).
class PastListsTest {
  private EmbeddedApiServer server;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aListAtAnExactVersionIsWhatWasThere() throws Exception {
    create("a");
    create("b");
    long then = server.revision();
    merge("a", "{data: {x: new}}");
    remove("b");
    create("c");
    var page = list(exactly(then));
    assertThat(page.revision()).isEqualTo(then);
    assertThat(texts(page)).containsExactly("a", "b");
    assertThat(texts(list(exactly(server.revision())))).containsExactly("a new", "c");
  }

  @Test
  void whatWasForgottenHasExpired() throws Exception {
    create("a");
    var refused = (Answer.Refused) answer(exactly(1));
    assertThat(refused.refusal().code()).isEqualTo(410);
  }

  /// Others who read page by page, however many, end nobody's pages.
  @Test
  void pagesGoOnThoughManyOthersBegin() throws Exception {
    for (var name : List.of("a", "b")) create(name);
    var first = list(ListOptions.ALL.page(1, ""));
    for (int i = 0; i < 200; i++) {
      create("other-" + i);
      list(ListOptions.ALL.page(1, ""));
    }
    var second = list(ListOptions.ALL.page(0, first.continueToken()));
    assertThat(second.revision()).isEqualTo(first.revision());
    assertThat(texts(first)).containsExactly("a");
    assertThat(texts(second)).containsExactly("b");
  }

  /// API-144: what has not changed is shared, its text too, so that keeping a state costs nothing.
  @Test
  void aStateSharesAllThatHasNotChanged() throws Exception {
    create("a");
    var before = server.state();
    create("b");
    var after = server.state();
    var key = ObjectKey.of("default", "a");
    var one = before.get(Resources.CONFIG_MAPS, key).orElseThrow();
    assertThat(after.get(Resources.CONFIG_MAPS, key).orElseThrow()).isSameAs(one);
    assertThat(one.json()).isSameAs(one.json());
    assertThat(after.sameAs(before, Resources.SECRETS)).isTrue();
    assertThat(after.sameAs(before, Resources.CONFIG_MAPS)).isFalse();
  }

  private static ListOptions exactly(long revision) {
    var version = Long.toString(revision);
    return new ListOptions("", "", version, "Exact", 0, "", Optional.empty(), false);
  }

  private Answer answer(ListOptions options) throws Exception {
    return server.handle(new Request.List(Resources.CONFIG_MAPS, "default", options));
  }

  private Answer.Page list(ListOptions options) throws Exception {
    return (Answer.Page) answer(options);
  }

  /// Names, and what is in them; without those that each namespace has.
  private static List<String> texts(Answer.Page page) {
    var texts = new ArrayList<String>();
    for (var item : page.items())
      texts.add((item.key().name() + " " + item.object().path("data").path("x").asText()).strip());
    texts.remove("kube-root-ca.crt");
    return texts;
  }

  private void create(String name) throws Exception {
    var map = World.yaml("{metadata: {name: %s}}".formatted(name));
    server.handle(new Request.Create(Resources.CONFIG_MAPS, "default", map));
  }

  private void merge(String name, String patch) throws Exception {
    server.handle(
        new Request.Change(
            Resources.CONFIG_MAPS,
            ObjectKey.of("default", name),
            Request.Part.MAIN,
            new Patch(Patch.Type.MERGE, World.yaml(patch))));
  }

  private void remove(String name) throws Exception {
    server.handle(
        new Request.Delete(
            Resources.CONFIG_MAPS, ObjectKey.of("default", name), DeleteOptions.DEFAULT));
  }
}
