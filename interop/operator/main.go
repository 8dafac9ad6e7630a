// A small operator as people write them with controller-runtime, unmodified: it keeps a config map for each
// cake (a custom kind), says so in the cake's status and in an event, and takes the config map away by a
// finalizer. interop/clients runs it against `berth apiserver`.
package main

import (
	"context"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const hold = "operator.example.com/hold"

var kind = schema.GroupVersionKind{Group: "operator.example.com", Version: "v1", Kind: "Cake"}

type baker struct {
	client.Client
	events events.EventRecorder
}

func cake() *unstructured.Unstructured {
	made := &unstructured.Unstructured{}
	made.SetGroupVersionKind(kind)
	return made
}

func (b *baker) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	found := cake()
	if err := b.Get(ctx, request.NamespacedName, found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	recipe := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: found.GetName(), Namespace: found.GetNamespace()}}
	if !found.GetDeletionTimestamp().IsZero() {
		if err := b.Delete(ctx, recipe); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		before := found.DeepCopy()
		if controllerutil.RemoveFinalizer(found, hold) {
			return ctrl.Result{}, b.Patch(ctx, found, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
		}
		return ctrl.Result{}, nil
	}
	before := found.DeepCopy()
	if controllerutil.AddFinalizer(found, hold) {
		return ctrl.Result{}, b.Patch(ctx, found, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	}
	layers, _, _ := unstructured.NestedInt64(found.Object, "spec", "layers")
	outcome, err := controllerutil.CreateOrUpdate(ctx, b.Client, recipe, func() error {
		recipe.Data = map[string]string{"layers": string(rune('0' + layers))}
		return nil
	})
	if err != nil {
		if apierrors.IsConflict(err) {
			return ctrl.Result{Requeue: true}, nil
		}
		return ctrl.Result{}, err
	}
	if outcome != controllerutil.OperationResultNone {
		b.events.Eventf(found, nil, corev1.EventTypeNormal, "Baked", "Bake", "%d layers", layers)
	}
	before = found.DeepCopy()
	if err := unstructured.SetNestedField(found.Object, layers, "status", "layers"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, b.Status().Patch(ctx, found, client.MergeFrom(before))
}

func main() {
	ctrl.SetLogger(zap.New())
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		LeaderElection:          true,
		LeaderElectionID:        "operator.example.com",
		LeaderElectionNamespace: "default",
		Metrics:                 server.Options{BindAddress: "0"},
	})
	if err == nil {
		err = ctrl.NewControllerManagedBy(manager).Named("baker").For(cake()).Owns(&corev1.ConfigMap{}).
			Complete(&baker{manager.GetClient(), manager.GetEventRecorder("baker")})
	}
	if err == nil {
		err = manager.Start(ctrl.SetupSignalHandler())
	}
	if err != nil {
		ctrl.Log.Error(err, "ended")
		os.Exit(1)
	}
}
